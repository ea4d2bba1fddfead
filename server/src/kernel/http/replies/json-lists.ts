/** Lists of any length as one JSON object, read and written in portions: other requests have their turns between them. */
import type { Outlet, RawReply } from './raw-reply.ts'

type Portions = AsyncIterable<readonly object[]> | Iterable<readonly object[]>

/** The lists by their names, and the object's other fields. */
export const jsonLists = (lists: Record<string, Portions>, rest: object): RawReply => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: async (outlet) => {
    outlet.write('{')
    for (const [name, portions] of Object.entries(lists)) {
      outlet.write(`${JSON.stringify(name)}:[`)
      await writeItems(outlet, portions)
      outlet.write('],')
    }
    outlet.end(JSON.stringify(rest).slice(1))
  },
})

const writeItems = async (outlet: Outlet, portions: Portions): Promise<void> => {
  let before = ''
  for await (const items of portions) {
    if (!outlet.isOpen) return
    if (items.length === 0) continue
    outlet.write(before + items.map((item) => JSON.stringify(item)).join(','))
    before = ','
    await outlet.drained()
  }
}
