/** Limited children and the like, counted for a whole machine. */
import { expect, it } from 'vitest'
import { createSharedPlaces } from './shared-places.ts'

const start = () => {
  const begun: string[] = []
  const places = createSharedPlaces<string>((server, id) => void begun.push(`${server}${id}`))
  const take = (server: string, id: number, tenant: string, name = 'pdf') =>
    places.take(server, id, { name, most: 2, perTenant: 1, spare: 1, tenant })
  return { places, take, begun }
}

it('no server has a place while all are taken by others, and a tenant has its part once, not once per server', () => {
  const { places, take, begun } = start()
  take('a', 1, 'ana')
  take('b', 1, 'ana')
  take('b', 2, 'ben')
  expect(begun).toEqual(['a1', 'b2'])
  places.leave('a', 1)
  expect(begun).toEqual(['a1', 'b2', 'b1'])
})

it('others who used little have the spare place, also on another server', () => {
  const { take, begun } = start()
  take('a', 1, 'ana')
  take('a', 2, 'ben')
  take('b', 1, 'carl')
  take('c', 1, 'dora')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
})

it('what a server had, or waited for, is given back when it ends', () => {
  const { places, take, begun } = start()
  take('a', 1, 'ana')
  take('a', 2, 'ben')
  take('a', 3, 'carl')
  take('a', 4, 'dora')
  take('b', 1, 'eve')
  places.remove('a')
  places.leave('a', 4)
  expect(begun).toContain('b1')
  take('b', 2, 'fay')
  take('b', 3, 'gus')
  expect(begun.filter((one) => one.startsWith('b'))).toEqual(['b1', 'b2', 'b3'])
})

it('a place that is left twice counts once, and those of another name apart', () => {
  const { places, take, begun } = start()
  for (const [id, tenant] of ['ana', 'ben', 'carl', 'dora', 'eve'].entries()) take('a', id, tenant)
  places.leave('a', 0)
  places.leave('a', 0)
  take('a', 9, 'ana', 'image')
  expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'a9'])
})
