const QUESTION = 'How do ROS 2 nodes communicate?';

/** What a newcomer needs at the moment everything runs: commands that work as printed. */
export function greeting(url: string, env: NodeJS.ProcessEnv): string {
  const ask = `-H 'content-type: application/json' -d '${JSON.stringify({ message: QUESTION })}'`;
  const model = env.GEMINI_API_KEY
    ? 'Gemini is configured: answers are generated.'
    : 'GEMINI_API_KEY is not set: answers are `retrieval_only`, sources without a summary. Put the key into .env to generate.';
  return `
Quire runs at ${url}

Try:
  curl -s ${url}/chat ${ask}
  curl -N ${url}/chat/stream ${ask}
  npx quire chat

${model}
Ctrl-C stops everything.
`;
}
