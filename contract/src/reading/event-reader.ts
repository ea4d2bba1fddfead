/** Parses server-sent events from text that may be split anywhere; returns each event once it is complete. */

export interface StreamEvent {
  /** `message` if the server gave it no name. */
  name: string
  /** Its ID in the stream, if it has one. */
  id: string | undefined
  data: string
}

export function createEventReader(): (text: string) => StreamEvent[] {
  let rest = ''
  let draft: { name: string; id: string | undefined; data: string[] } = { name: 'message', id: undefined, data: [] }
  return (text) => {
    const whole: StreamEvent[] = []
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (draft.data.length > 0) whole.push({ ...draft, data: draft.data.join('\n') })
        draft = { name: 'message', id: undefined, data: [] }
        continue
      }
      const { field, value } = fieldOf(line)
      if (field === 'data') draft.data.push(value)
      else if (field === 'event') draft.name = value
      else if (field === 'id') draft.id = value
    }
    return whole
  }
}

/** A comment has no field name before its colon. */
function fieldOf(line: string): { field: string; value: string } {
  const colon = line.indexOf(':')
  if (colon < 0) return { field: line, value: '' }
  return { field: line.slice(0, colon), value: line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1) }
}

/** The events of an open response. `onPiece` is called for every sign of life, including comments. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPiece?: () => void,
): AsyncGenerator<StreamEvent> {
  const read = createEventReader()
  // Manually, because not every browser can iterate over a stream.
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      onPiece?.()
      yield* read(piece.value)
    }
  } finally {
    // Whoever stops reading early closes the connection.
    pieces.cancel().catch(() => undefined)
  }
}
