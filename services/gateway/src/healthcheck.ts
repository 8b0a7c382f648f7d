/** A container's health check: is the gateway of this host ready? */
const port = process.env['PORT'] ?? '8787';
const ready = await fetch(`http://127.0.0.1:${port}/health/ready`, {
  signal: AbortSignal.timeout(3000),
}).then(
  (response) => response.ok,
  () => false,
);
process.exit(ready ? 0 : 1);
