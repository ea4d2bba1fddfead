import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { copierOf, replySerializer } from './reply-serializer.ts'

const Person = z.object({
  id: z.uuid(),
  age: z.int().nullable(),
  nick: z.string().optional(),
  role: z.enum(['a', 'b']),
  tags: z.array(z.object({ name: z.string() })),
})
const anyPerson = fc.record({
  id: fc.uuid(),
  age: fc.option(fc.integer()),
  role: fc.constantFrom('a', 'b'),
  tags: fc.array(fc.record({ name: fc.string(), secret: fc.string() })),
  passwordHash: fc.string(),
})

describe('copying what a schema names', () => {
  it('gives the same as the schema itself, whatever else the value holds', () => {
    fc.assert(
      fc.property(anyPerson, (person) => {
        expect(copierOf(Person)?.(person)).toEqual(Person.parse(person))
      }),
    )
  })

  it('leaves to the schema what only the schema can tell', () => {
    expect(copierOf(z.union([Person, z.date()]))).toBeUndefined()
    expect(copierOf(z.object({ inner: z.date() }))).toBeUndefined()
    expect(copierOf(z.record(z.string(), z.union([z.array(Person), z.string()])))).toBeUndefined()
  })

  it('chooses the shape of a union as the schema does, and cuts what that shape does not name', () => {
    const Mark = z.union([z.strictObject({ typed: z.string() }), z.strictObject({ png: z.string() })])
    const Either = z.discriminatedUnion('isOpen', [
      z.object({ isOpen: z.literal(true), hint: z.string().optional() }),
      z.object({ isOpen: z.literal(false), person: Person, mark: z.union([z.string(), z.boolean(), Mark]).nullable() }),
    ])
    const anyMark = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.record({ typed: fc.string() }),
      fc.record({ png: fc.string() }),
    )
    const anyReply = fc.record({ isOpen: fc.boolean(), hint: fc.string(), person: anyPerson, mark: anyMark })
    fc.assert(
      fc.property(anyReply, (reply) => {
        expect(copierOf(Either)?.(reply)).toEqual(Either.parse(reply))
      }),
    )
    expect(() => copierOf(Either)?.({ isOpen: 'perhaps' })).toThrow('none of the shapes')
    expect(copierOf(Mark)?.({ typed: 'Ana', secret: 'x' })).toEqual({ typed: 'Ana' })
  })

  it('lets open objects and records through, and still cuts what is named inside', () => {
    const Open = z.looseObject({ people: z.record(z.string(), Person), note: z.string().optional(), any: z.unknown() })
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b'), anyPerson), fc.jsonValue(), (people, extra) => {
        const value = { people, extra, any: extra }
        expect(copierOf(Open)?.(value)).toEqual(Open.parse(value))
      }),
    )
  })
})

describe('the serializer', () => {
  const route = { schema: Person, method: 'GET', url: '/x', httpStatus: '200' } as never
  const person = { id: 'no uuid', age: null, role: 'a', tags: [], passwordHash: '$2b$' }

  it('lets no unnamed field out, checked or not', () => {
    expect(replySerializer({ isChecked: false })(route)(person)).toBe(
      '{"id":"no uuid","age":null,"role":"a","tags":[]}',
    )
  })

  it('finds a reply that breaks its promise where replies are checked', () => {
    expect(() => replySerializer({ isChecked: true })(route)(person)).toThrow()
  })
})
