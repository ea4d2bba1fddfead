/** How far a backup or a restore is: a line now and then, and never so many that they are a burden in a log. */

export interface Progress {
  begin(what: string): void
  /** Bytes of the current work, before they are compressed. */
  add(bytes: number): void
}

const everyMs = 5000

export const createProgress = (note: (line: string) => void): Progress => {
  let what = ''
  let bytes = 0
  let saidMs = performance.now()
  return {
    begin(next) {
      what = next
    },
    add(more) {
      bytes += more
      const nowMs = performance.now()
      if (nowMs - saidMs < everyMs) return
      saidMs = nowMs
      note(`${what}; ${inWords(bytes)} so far`)
    },
  }
}

export const inWords = (bytes: number): string => {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`
}

/** The same content, counted as it goes by. */
export async function* counted(content: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    progress.add(chunk.length)
    yield chunk
  }
}
