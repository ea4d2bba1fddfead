/** The id of an event that a node publishes: always the same for the same place in the same run. Pure. */
import { createHash } from 'node:crypto'

/** RFC 9562 version 8: a hash of our own making, so that publishing a second time meets the first. */
export const deriveEventId = ({ runId, nodeId, place }: { runId: string; nodeId: string; place: number }): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify(['event of a run', runId, nodeId, place]))
    .digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  return `${groups.join('-')}-${hex.slice(20, 32)}`
}
