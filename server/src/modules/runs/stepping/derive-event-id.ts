/** The id of an event that a node publishes: the same each time for the same run, node and index. Pure. */
import { createHash } from 'node:crypto'

/** RFC 9562 version 8: a hash, so that publishing a second time finds the first event. */
export const deriveEventId = ({ runId, nodeId, index }: { runId: string; nodeId: string; index: number }): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify(['event of a run', runId, nodeId, index]))
    .digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  return `${groups.join('-')}-${hex.slice(20, 32)}`
}
