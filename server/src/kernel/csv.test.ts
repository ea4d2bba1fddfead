import { expect, it } from 'vitest'
import { csvOfPages } from './csv.ts'
import type { Page } from './db/paging.ts'
import type { Outlet } from './http/replies/raw-reply.ts'

it('holds every row once, though others are added at the front while it is read', async () => {
  const list = Array.from({ length: 3500 }, (_, index) => `row-${3500 - index}`)
  let isFirst = true
  const readPage = async ({ page, limit }: Page) => {
    if (!isFirst) list.unshift(`new-${list.length}`, `new-${list.length + 1}`)
    isFirst = false
    return { items: list.slice((page - 1) * limit, page * limit) }
  }
  const { body } = await csvOfPages('rows', {
    header: ['name'],
    readPage,
    keyOf: (name) => name,
    rowOf: (name) => ({ name }),
  })
  let text = ''
  const outlet: Outlet = {
    write: (piece) => {
      text += String(piece)
      return true
    },
    end: () => undefined,
    drained: async () => undefined,
    waiting: 0,
    isOpen: true,
    onClose: () => undefined,
  }
  if (typeof body !== 'function') throw new Error('it is not written page by page')
  await body(outlet)
  const rows = text.trimEnd().split('\r\n').slice(1)
  expect(rows).toHaveLength(3500)
  expect(new Set(rows).size).toBe(3500)
})
