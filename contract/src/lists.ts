/** Paging, the same everywhere: `?page=1&limit=50` → `{items, total}`; and sorting: `?sort=name`, `?sort=-name`. */
import { z } from 'zod'

/**
 * Rows are counted up to here. A larger `total` says that there are more: on every page but the last it is one more than
 * what the pages up to it hold, so who reads page after page reads them all.
 */
export const mostCounted = 10_000

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

/** One of these names; with `-` in front it is descending. Without it, a list has its own order. */
export const sortBy = <Name extends string>(...names: Name[]) =>
  z.enum(names.flatMap((name): (Name | `-${Name}`)[] => [name, `-${name}`])).optional()

export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), total: z.int() })
