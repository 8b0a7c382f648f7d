const QUESTION = 'How do ROS 2 nodes communicate?';

export interface RunningStack {
  url: string;
  needsKey: boolean;
  hasModel: boolean;
}

/** The lines printed once everything runs: commands that work as printed. */
export function greeting({ url, needsKey, hasModel }: RunningStack): string {
  const key = needsKey ? `-H "authorization: Bearer $QUIRE_API_KEY" ` : '';
  const ask = `${key}-H 'content-type: application/json' -d '${JSON.stringify({ message: QUESTION })}'`;
  const tryThis = needsKey
    ? 'Make a key, put it into QUIRE_API_KEY, and try:\n  npx quire keys create --tenant me --name first'
    : 'Try:';
  const model = hasModel
    ? 'Gemini is configured: answers are generated.'
    : 'GEMINI_API_KEY is not set: answers are `retrieval_only`, sources without a summary. Put the key into .env to generate.';
  return `
Quire runs at ${url}

${tryThis}
  curl -s ${url}/chat ${ask}
  curl -N ${url}/chat/stream ${ask}
  npx quire chat

${model}
Ctrl-C stops everything.
`;
}
