/** Something that only listens, on one port for TCP and UDP alike, and remembers whether anything arrived. */
import { createSocket, type Socket as Datagrams } from "node:dgram";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";

/** Browsers do not send peer-to-peer packets to the loopback address, so this machine's other one where it has one. */
const HOST =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one && one.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1";

export interface Listener {
  readonly address: string;
  /** What arrived: `nothing`, a `connection` without a byte, or `bytes`. */
  heard(): "nothing" | "connection" | "bytes";
  close(): void;
}

const ANSWER =
  "HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-type: text/html\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

export async function listen(): Promise<Listener> {
  let heard: "nothing" | "connection" | "bytes" = "nothing";
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    if (heard === "nothing") heard = "connection";
    open.add(socket);
    socket.on("data", () => {
      heard = "bytes";
      socket.end(ANSWER);
    });
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = server.address() as AddressInfo;
  const datagrams: Datagrams = createSocket("udp4");
  datagrams.on("message", () => {
    heard = "bytes";
  });
  await new Promise<void>((resolve, reject) => {
    datagrams.once("error", reject);
    datagrams.bind(port, HOST, resolve);
  });
  return {
    address: `http://${HOST}:${port}/heard.js`,
    heard: () => heard,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
      datagrams.close();
    },
  };
}
