import type { Construct } from './language.js';

export type ParserContext = ThisParameterType<Construct['tokenize']>;

/** Constructs that never match: they observe that the parser reaches one of the characters. */
export function observing(characters: string, observer: Construct): Record<number, Construct> {
  return Object.fromEntries(characters.split('').map((character) => [character.charCodeAt(0), observer]));
}

export function atEach(observe: (context: ParserContext) => void): Construct {
  return {
    tokenize(_effects, _ok, nok) {
      observe(this);
      return nok;
    },
  };
}

export function atEachRun(observe: (context: ParserContext, length: number) => void): Construct {
  return {
    tokenize(effects, _ok, nok) {
      const end = (length: number) => observe(this, length);
      let first: number | null | undefined;
      let length = 0;
      return function run(code) {
        first ??= code;
        if (code !== first) {
          end(length);
          return nok(code);
        }
        if (length === 0) effects.enter('data');
        effects.consume(code);
        length += 1;
        return run;
      };
    },
  };
}
