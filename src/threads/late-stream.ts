/** A stream that is made when it is first read. */
export function lateStream<T>(make: () => Promise<ReadableStream<T>>): ReadableStream<T> {
  let made: Promise<ReadableStreamDefaultReader<T>> | undefined;
  return new ReadableStream<T>(
    {
      async pull(to) {
        made ??= make().then((stream) => stream.getReader());
        const { done, value } = await (await made).read();
        if (done) to.close();
        else to.enqueue(value);
      },
      cancel: async (reason) => (await made)?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
