/** Asks the worker to highlight code. */

export interface ColourRequest {
  id: number
  code: string
  language: string
}

export type Coloured = { text: string; color: string | undefined }[][]

interface ColourAnswer {
  id: number
  lines: Coloured | undefined
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (lines: Coloured | undefined) => void>()

function start(): Worker {
  const own = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' })
  own.addEventListener('message', ({ data }: MessageEvent<ColourAnswer>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  })
  // It could not be loaded. The next code block tries again.
  own.addEventListener('error', () => {
    worker = undefined
    for (const answer of waiting.values()) answer(undefined)
    waiting.clear()
  })
  return own
}

/** Undefined if the language is unknown or there is no worker. */
export function colourCode(code: string, language: string): Promise<Coloured | undefined> {
  return new Promise((resolve) => {
    worker ??= start()
    lastId += 1
    waiting.set(lastId, resolve)
    worker.postMessage({ id: lastId, code, language } satisfies ColourRequest)
  })
}
