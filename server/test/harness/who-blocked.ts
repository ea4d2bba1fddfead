/**
 * Who blocked the event loop while a test's work ran, as the server would log it. A test expects that what an attacker sent
 * is not among them: `expect(await whoBlocked(work)).not.toContainEqual(expect.objectContaining({ owner }))`.
 */
import { type Block, watchLoop } from '#kernel/loop-watch/loop-watch.ts'

export const whoBlocked = async (work: () => Promise<unknown>): Promise<Omit<Block, 'ms'>[]> => {
  const blocks: Omit<Block, 'ms'>[] = []
  const watch = watchLoop({ onBlock: ({ ms: _, ...block }) => void blocks.push(block) })
  // The watching thread has begun when it sees the first beats.
  await new Promise((resolve) => setTimeout(resolve, 300))
  await work()
  await new Promise((resolve) => setTimeout(resolve, 500))
  await watch.stop()
  return blocks
}
