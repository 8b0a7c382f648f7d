import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../src/openapi/openapi-objects.js';

export interface DocumentSchemas {
  /** The problems of a value by the schema at this pointer of the document. */
  problemsAt(pointer: readonly string[], value: unknown): string[];
}

/** The schemas of an OpenAPI 3.1 document, which are JSON Schema of 2020-12. */
export function schemasOf(document: OpenApiDocument): DocumentSchemas {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'document');
  return {
    problemsAt(pointer, value) {
      const escaped = pointer.map((part) =>
        encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
      );
      const $ref = `document#/${escaped.join('/')}`;
      const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
      if (validate(value)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
  };
}
