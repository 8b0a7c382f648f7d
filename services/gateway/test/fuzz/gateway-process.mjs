// The built gateway in a process of its own, which also tells what it holds on to.
import { compose } from '../../dist/compose.js';
import { loadGatewayConfig } from '../../dist/config.js';

const { service, server } = compose(loadGatewayConfig());
await service.start();

const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));

process.on('message', async () => {
  globalThis.gc();
  const sockets = process.getActiveResourcesInfo().filter((type) => type.startsWith('TCPSocket')).length;
  process.send({ heapBytes: process.memoryUsage().heapUsed, connections: await connections(), sockets });
});
process.send({ port: server.address().port });
