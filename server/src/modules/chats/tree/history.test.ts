/** A38: the merge of histories, with any input. */
import { createHash, randomUUID } from 'node:crypto'
import type { MessagePatch } from '@chancery/contract/chats/chats.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertTree, idsTouchedBy, parentsIn, planMerge } from './history.ts'
import type { StoredMessage } from './merge-message.ts'

type Tree = Map<string, StoredMessage>

/** As the use case does it, with a map in place of the table: only what a merge touches is shown to it. */
const merge = (tree: Tree, sent: Record<string, MessagePatch>): Tree => {
  const patches = new Map(Object.entries(sent))
  const touched = new Map(idsTouchedBy(patches).flatMap((id) => (tree.has(id) ? [[id, tree.get(id)]] : []))) as Tree
  const plan = planMerge(touched, patches, { nowSec: 1 })
  if (plan.hasMoved) assertTree(new Map([...parentsIn([...tree.values()]), ...parentsIn(plan.changed)]))
  const merged = new Map(tree)
  for (const message of plan.changed)
    merged.set(message.id, { ...message, isRunning: tree.get(message.id)?.isRunning ?? false })
  return merged
}

const refusal = (tree: Tree, sent: Record<string, MessagePatch>): string | undefined => {
  try {
    merge(tree, sent)
    return undefined
  } catch (problem) {
    return (problem as { code: string }).code
  }
}

const ids = Array.from({ length: 8 }, () => randomUUID())
const anyId = fc.constantFrom(...ids)
const anyPatch: fc.Arbitrary<MessagePatch> = fc.record(
  {
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: fc.string({ maxLength: 5 }),
    parentId: fc.option(anyId),
    childrenIds: fc.array(anyId, { maxLength: 3 }),
    done: fc.boolean(),
    usage: fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(9), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
)
const anyMerge = fc.dictionary(anyId, anyPatch, { maxKeys: 5 })

const rootsReached = (tree: Tree): boolean =>
  [...tree.keys()].every((start) => {
    let id: string | null = start
    for (let steps = 0; id !== null && steps <= tree.size; steps += 1) id = tree.get(id)?.parentId ?? null
    return id === null
  })

describe('any sequence of merges', () => {
  it('keeps every message, invents none, and leaves a tree', () => {
    fc.assert(
      fc.property(fc.array(anyMerge, { maxLength: 12 }), (merges) => {
        let tree: Tree = new Map()
        for (const sent of merges) {
          const before = tree
          if (refusal(tree, sent) === undefined) tree = merge(tree, sent)
          expect([...tree.keys()].sort()).toEqual([...new Set([...before.keys(), ...tree.keys()])].sort())
          for (const id of tree.keys()) expect(before.has(id) || id in sent).toBe(true)
          for (const { parentId } of tree.values()) expect(parentId === null || tree.has(parentId)).toBe(true)
          expect(rootsReached(tree)).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('changes nothing in messages that it neither names nor links', () => {
    fc.assert(
      fc.property(fc.array(anyMerge, { maxLength: 8 }), anyMerge, (merges, last) => {
        let tree: Tree = new Map()
        for (const sent of merges) if (refusal(tree, sent) === undefined) tree = merge(tree, sent)
        if (refusal(tree, last) !== undefined) return
        const touched = new Set(idsTouchedBy(new Map(Object.entries(last))))
        const after = merge(tree, last)
        for (const [id, message] of tree) if (!touched.has(id)) expect(after.get(id)).toEqual(message)
      }),
      { numRuns: 100 },
    )
  })

  it('is the same when a merge is repeated', () => {
    fc.assert(
      fc.property(fc.array(anyMerge, { minLength: 1, maxLength: 6 }), (merges) => {
        let tree: Tree = new Map()
        for (const sent of merges) {
          if (refusal(tree, sent) !== undefined) continue
          tree = merge(tree, sent)
          expect(merge(tree, sent)).toEqual(tree)
        }
      }),
      { numRuns: 100 },
    )
  })
})

const [a = '', b = '', c = ''] = ids
const user = (more: Partial<MessagePatch> = {}): MessagePatch => ({ role: 'user', content: 'hello', ...more })

describe('one merge', () => {
  it('gives a child its parent when only the parent names it', () => {
    const tree = merge(new Map(), { [a]: user({ childrenIds: [b] }), [b]: user() })
    expect(tree.get(b)?.parentId).toBe(a)
  })

  it('links a stored message that has no parent yet', () => {
    const tree = merge(merge(new Map(), { [b]: user() }), { [a]: user({ childrenIds: [b] }) })
    expect(tree.get(b)?.parentId).toBe(a)
  })

  it("believes the child's own parentId and not a parent's list", () => {
    const tree = merge(new Map(), { [a]: user(), [b]: user({ parentId: a }), [c]: user({ childrenIds: [b] }) })
    expect(tree.get(b)?.parentId).toBe(a)
  })

  it('passes over children that no message has', () => {
    expect(merge(new Map(), { [a]: user({ childrenIds: [b] }) }).size).toBe(1)
  })

  it('takes new siblings in the order in which their parent names them', () => {
    const tree = merge(new Map(), { [a]: user({ childrenIds: [c, b] }), [b]: user(), [c]: user() })
    expect([...tree.keys()]).toEqual([a, c, b])
  })

  it('takes siblings that nobody ranks in the order in which they are sent', () => {
    const tree = merge(new Map(), { [a]: user(), [c]: user({ parentId: a }), [b]: user({ parentId: a }) })
    expect([...tree.keys()]).toEqual([a, c, b])
  })

  it.each<[string, Record<string, MessagePatch>]>([
    ['is its own parent', { [a]: user({ parentId: a }) }],
    ['is an ancestor of its parent', { [a]: user({ parentId: b }), [b]: user({ parentId: a }) }],
    ['names a parent that is not there', { [a]: user({ parentId: b }) }],
    ['carries another id than its key', { [a]: user({ id: b }) }],
    ['is new and has no role', { [a]: { content: 'who?' } }],
  ])('refuses a message that %s', (_name, sent) => expect(refusal(new Map(), sent)).toBe('history_invalid'))

  it('refuses a circle that runs through messages which it does not name', () => {
    const tree = merge(new Map(), { [a]: user(), [b]: user({ parentId: a }), [c]: user({ parentId: b }) })
    expect(refusal(tree, { [a]: { parentId: c } })).toBe('history_invalid')
  })

  it('does not recurse: a chain of ten thousand is a tree like any other', () => {
    const chain = Array.from({ length: 10_000 }, () => randomUUID())
    const sent = Object.fromEntries(chain.map((id, at) => [id, user({ parentId: chain[at - 1] ?? null })]))
    expect(merge(new Map(), sent).size).toBe(10_000)
  })
})

describe('the text of a reply', () => {
  const finished = () => merge(new Map(), { [a]: { role: 'assistant', content: 'Four.', done: true } })

  it('is not blanked once it is done, nor made unfinished', () => {
    const tree = merge(finished(), { [a]: { content: '', done: false } })
    expect(tree.get(a)).toMatchObject({ content: 'Four.', done: true })
  })

  it('can be edited once it is done, by who names the text that was there', () => {
    const seen = finished().get(a)?.content ?? ''
    const if_content_hash = createHash('sha256').update(seen).digest('hex')
    const edited = merge(finished(), { [a]: { content: 'Five.', if_content_hash } }).get(a)
    expect(edited).toMatchObject({ content: 'Five.', done: true, body: {} })
    expect(() => merge(finished(), { [a]: { content: 'Five.' } })).toThrow('has changed')
  })

  it('is left to the server while that writes it; other fields are not', () => {
    const running = merge(new Map(), { [a]: { role: 'assistant', content: 'Fo' } })
    running.set(a, { ...(running.get(a) as StoredMessage), isRunning: true })
    const tree = merge(running, { [a]: { content: 'stale', done: true, annotation: { rating: 1 } } })
    expect(tree.get(a)).toMatchObject({ content: 'Fo', done: false, body: { annotation: { rating: 1 } } })
  })
})
