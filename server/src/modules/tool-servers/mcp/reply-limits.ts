/**
 * Limits on the replies of an MCP server over one connection. It is counted as the bytes arrive, before anything is
 * parsed: the SDK reads each message on the event loop, and a server could send hundreds of thousands of them.
 */
import { costOf, maxParts, parseForeign } from '#kernel/json/parse-foreign.ts'

export const mostMessages = 1_000
export const mostRequests = 100
export const mostBytes = 8 * 1024 * 1024
/** Of the JSON of all messages. */
export const mostParts = maxParts

type Fetch = (address: string | URL, init?: RequestInit) => Promise<Response>

export interface Limited {
  fetch: Fetch
  /** Rejects when the server has sent too much; the connection is of no use from then on. */
  exceeded: Promise<never>
}

export const limitReplies = (fetch: Fetch): Limited => {
  const { promise: exceeded, reject } = Promise.withResolvers<never>()
  exceeded.catch(() => undefined)
  const left = { messages: mostMessages, requests: mostRequests, bytes: mostBytes, parts: mostParts }
  const take = (what: keyof typeof left, count: number): void => {
    left[what] -= count
    if (left[what] >= 0) return
    const problem = new Error(`it sent too many ${what}.`)
    reject(problem)
    throw problem
  }
  return {
    exceeded,
    fetch: async (address, init) => {
      take('requests', 1)
      const reply = await fetch(address, init)
      const { status, headers, body } = reply
      if (!body) return reply
      const pieces = body.pipeThrough(counted((count) => take('bytes', count)))
      // The SDK reads what it asked for by GET as events, whatever the server calls it.
      if (init?.method === 'GET' || /^text\/event-stream/i.test(headers.get('content-type') ?? ''))
        return new Response(pieces.pipeThrough(countedEvents(take)), { status, headers })
      const whole = new Response(pieces, { status, headers })
      if (!/json/i.test(headers.get('content-type') ?? '')) return whole
      const text = await whole.text()
      const cost = costOf(text, mostParts)
      take('parts', cost === 'too deep' ? mostParts + 1 : cost)
      take('messages', isBatch(text) ? batchOf(text).length : 1)
      return new Response(text, { status, headers })
    },
  }
}

const isBatch = (text: string): boolean => text.trimStart().startsWith('[')

const batchOf = (text: string): unknown[] => {
  try {
    return parseForeign(text) as unknown[]
  } catch {
    return []
  }
}

type Bytes = Uint8Array<ArrayBuffer>

const counted = (take: (count: number) => void): TransformStream<Bytes, Bytes> =>
  new TransformStream({
    transform: (piece, controller) => {
      take(piece.length)
      controller.enqueue(piece)
    },
  })

const lf = 10
const cr = 13
const quote = 34
const backslash = 92
/** 1 for each byte that begins a part. */
const partByte = Uint8Array.from({ length: 256 }, (_, byte) => (',:[{'.includes(String.fromCharCode(byte)) ? 1 : 0))

/** An event ends with an empty line. */
const countedEvents = (take: (what: 'messages' | 'parts', count: number) => void): TransformStream<Bytes, Bytes> => {
  let isLineEmpty = true
  let isAfterCr = false
  let [isInText, isEscaped] = [false, false]
  return new TransformStream({
    transform: (piece, controller) => {
      let [events, parts] = [0, 0]
      for (const byte of piece) {
        const isEnd = byte === cr || (byte === lf && !isAfterCr)
        if (isEnd && isLineEmpty) events += 1
        isLineEmpty = byte === lf || byte === cr
        isAfterCr = byte === cr
        // The JSON of a message is one line.
        if (isLineEmpty) [isInText, isEscaped] = [false, false]
        else if (isEscaped) isEscaped = false
        else if (byte === quote) isInText = !isInText
        else if (!isInText) parts += partByte[byte] ?? 0
        else isEscaped = byte === backslash
      }
      take('messages', events)
      take('parts', parts)
      controller.enqueue(piece)
    },
  })
}
