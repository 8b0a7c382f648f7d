import type { Construct, Syntax } from './language.js';

const LESS_THAN = '<'.charCodeAt(0);
const COMMENT_START = '<!--';

/** Docusaurus allows `<!-- -->` in MDX by the rules of CommonMark; all other HTML is JSX. */
export function htmlComments(): Syntax {
  return {
    flow: { [LESS_THAN]: { ...commentOf('flow', 'htmlFlow'), concrete: true } },
    text: { [LESS_THAN]: commentOf('text', 'htmlText') },
  };
}

function commentOf(content: 'flow' | 'text', name: 'htmlFlow' | 'htmlText'): Construct {
  return {
    tokenize(effects, ok, nok) {
      const constructs = [this.parser.constructs[content][LESS_THAN] ?? []].flat();
      const html = constructs.find((construct) => construct.name === name);
      if (html === undefined) return nok;
      // Without a name, because MDX disables the construct by its name.
      const nameless: Construct = { ...html, name: undefined };
      return effects.check(commentStart, effects.attempt(nameless, ok, nok), nok);
    },
  };
}

const commentStart: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let matched = 0;
    return function next(code) {
      if (matched === COMMENT_START.length) {
        effects.exit('data');
        return ok(code);
      }
      if (code !== COMMENT_START.charCodeAt(matched)) return nok(code);
      if (matched === 0) effects.enter('data');
      effects.consume(code);
      matched += 1;
      return next;
    };
  },
};
