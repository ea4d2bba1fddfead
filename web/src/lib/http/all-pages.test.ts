import { expect, it } from 'vitest'
import { allPages } from './all-pages.ts'

it.each([0, 1, 199, 200, 201, 1000])('reads all of %i, whatever fits on a page', async (count) => {
  const all = Array.from({ length: count }, (_, index) => index)
  const read = async ({ page, limit }: { page: number; limit: number }) => ({
    items: all.slice((page - 1) * limit, page * limit),
    total: count,
  })
  expect(await allPages(read)).toEqual({ items: all, total: count })
})
