import { expect, it } from 'vitest'
import { createBlockQueue } from './block-queue.ts'

const queue = () => createBlockQueue({ makeCallId: (index) => `call ${index}` })
const call = (id: string, text: string) => ({ id, function: { name: 'look', arguments: text } })

it('has two hundred calls wait for one that is not whole, and drops what a broken server sends beyond', () => {
  const blocks = queue()
  for (let sent = 0; sent < 100_000; sent += 1) blocks.toolCall(call(`${sent}`, '{'))
  const started = blocks.end().filter(({ type }) => type === 'content_block_start')
  expect(started.length).toBe(199)
})

it('knows that a call is whole without reading it again for each piece', () => {
  const blocks = queue()
  blocks.toolCall({ ...call('a', `{"a":"${'x'.repeat(4_000_000)}`), index: 0 })
  blocks.toolCall({ ...call('b', '{'), index: 1 })
  for (let sent = 0; sent < 20_000; sent += 1) blocks.toolCall({ index: 0, function: { arguments: '}' } })
  const types = blocks.toolCall({ index: 0, function: { arguments: '"}' } }).map(({ type }) => type)
  expect(types).toEqual(['content_block_delta', 'content_block_stop', 'content_block_start', 'content_block_delta'])
})
