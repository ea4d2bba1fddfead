/** One server-sent event as text. Nothing in its fields can end the event early or add a field of its own. */

export interface SseEvent {
  event?: string
  id?: string
  data: string
}

export const formatSse = ({ event, id, data }: SseEvent): string => {
  let frame = ''
  if (event !== undefined) frame += `event: ${oneLine(event)}\n`
  if (id !== undefined) frame += `id: ${oneLine(id)}\n`
  if (!hasLineBreak(data)) return `${frame}data: ${data}\n\n`
  for (const line of data.split(/\r\n|\r|\n/)) frame += `data: ${line}\n`
  return `${frame}\n`
}

const hasLineBreak = (text: string) => text.includes('\n') || text.includes('\r')

/** Names and ids cannot span lines; a reader would drop an id with a NUL in it. */
const oneLine = (text: string) => text.replaceAll(/[\r\n\0]+/g, ' ')
