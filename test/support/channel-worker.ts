import { serve } from "../../src/worker/host.ts";

/**
 * Stands in for a Worker where there is none (Node): the engine answers at the other end of a MessageChannel, so
 * structured clone, transfer and the hop between two event loops' turns are real.
 */
export class ChannelWorker extends EventTarget {
  readonly #near: MessagePort;
  readonly #far: MessagePort;

  constructor(answer: (far: MessagePort) => void = (endpoint) => serve({ endpoint })) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#near = port1;
    this.#far = port2;
    port1.addEventListener("message", (event) => {
      this.dispatchEvent(new MessageEvent("message", { data: event.data, ports: [...event.ports] }));
    });
    port1.start();
    answer(port2);
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#near.postMessage(message, transfer);
  }

  terminate(): void {
    this.#near.close();
    this.#far.close();
  }

  asWorker(): Worker {
    return this as unknown as Worker;
  }
}
