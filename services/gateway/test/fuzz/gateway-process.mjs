// The built gateway in a process of its own, which also tells what it holds on to.
import { compose } from '../../dist/compose.js';
import { loadGatewayConfig } from '../../dist/config.js';

const { service, server } = compose(loadGatewayConfig());
await service.start();

process.on('message', () => {
  globalThis.gc();
  const sockets = process.getActiveResourcesInfo().filter((type) => type.startsWith('TCPSocket')).length;
  server.getConnections((_error, connections) => {
    const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage();
    process.send({ heapBytes, externalBytes, connections, sockets });
  });
});
process.send({ port: server.address().port });
