/** A whole list from an API that answers in pages, for lists that are shown or searched whole. */
interface Page<Item> {
  items: Item[]
  total: number
}

/** The most that the server puts on one page. */
const perPage = 200

export async function allPages<Item>(
  read: (page: { page: number; limit: number }) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const items: Item[] = []
  for (let page = 1; ; page += 1) {
    const found = await read({ page, limit: perPage })
    items.push(...found.items)
    if (found.items.length < perPage) return { items, total: items.length }
  }
}
