/** Paging, the same everywhere: `?page=1&limit=50` → `{items, total}`. */
import { z } from 'zod'

/** The two fields of every paged list. */
export const paging = (usualLimit: number) => ({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(usualLimit),
})

export const PageQuery = z.strictObject({
  ...paging(50),
  search: z.string().max(200).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), total: z.int() })
