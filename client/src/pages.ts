/** Lists that come in pages, as one: `{items, total}` by page number, `{data, next_cursor}` by cursor. */
import type { Endpoint, ReplyKind } from '@chancery/contract/endpoint.ts'
import type { ReplyOf } from '@chancery/contract/reading/address.ts'

type Called = Omit<Endpoint, 'reply'> & { reply?: ReplyKind }

export type ItemOf<E> =
  ReplyOf<E> extends { items: readonly (infer Item)[] }
    ? Item
    : ReplyOf<E> extends { data: readonly (infer Item)[] }
      ? Item
      : never

interface Page {
  items?: readonly unknown[]
  data?: readonly unknown[]
  next_cursor?: string | null
}

interface Query {
  query?: Record<string, unknown> | undefined
}

/** The most that the server puts on one page. */
const perPage = 200

const takesPages = ({ query }: Called): boolean => {
  const read = query?.safeParse({ page: 1 })
  return read?.success === true && typeof read.data === 'object' && read.data !== null && 'page' in read.data
}

export async function* itemsOf<E extends Called>(
  endpoint: E,
  request: object | undefined,
  ask: (request: object) => Promise<unknown>,
): AsyncGenerator<ItemOf<E>> {
  const { query = {} } = (request ?? {}) as Query
  const hasPages = takesPages(endpoint)
  const limit = Number(query.limit ?? perPage)
  let next: Record<string, unknown> | undefined = hasPages ? { page: Number(query.page ?? 1), limit } : {}
  while (next) {
    const page: Page = (await ask({ ...request, query: { ...query, ...next } })) ?? {}
    const items = page.items ?? page.data ?? []
    yield* items as ItemOf<E>[]
    const isLast: boolean = page.items ? !hasPages || items.length < limit : !page.next_cursor
    if (isLast) return
    next = page.items ? { page: Number(next.page) + 1, limit } : { cursor: page.next_cursor }
  }
}
