import { describe, expect, it } from 'vitest'
import { belonging, detectedFields, learnIds, newField, pasted, toInput } from './fields.ts'

const spot = { fileId: 'f1', page: 1, size: { width: 600, height: 800 }, x: 0.5, y: 0.5 }
const field = newField({ key: 'a', type: 'SIGNATURE', recipientId: 'r1', spot })

describe('fields of a draft', () => {
  it('are placed around the pointer and never outside the page', () => {
    expect(field.x + field.width / 2).toBeCloseTo(0.5)
    const cornered = newField({ key: 'b', type: 'TEXT', recipientId: 'r1', spot: { ...spot, x: 1, y: 0 } })
    expect(cornered).toMatchObject({ y: 0, x: expect.closeTo(1 - cornered.width) })
  })

  it('are pasted beside the original on its page, and at the same position on another', () => {
    const [same] = pasted([field], { fileId: 'f1', page: 1 }, () => 'b')
    const [other] = pasted([field], { fileId: 'f1', page: 2 }, () => 'c')
    expect(same?.x).toBeGreaterThan(field.x)
    expect(other).toMatchObject({ key: 'c', page: 2, x: field.x, y: field.y })
  })

  it('are placed where the document asks for them, unless there is one already', () => {
    const box = { width: 0.2, height: 0.05, source: 'text' as const, page: 1 }
    const proposals = [
      { ...box, type: 'SIGNATURE' as const, label: 'Signature', x: field.x + 0.01, y: field.y + 0.01 },
      { ...box, type: 'DATE' as const, label: '', x: 0.1, y: 0.1 },
    ]
    const find = (fileId: string) =>
      detectedFields([{ fileId, proposals }], [field], { ownerOf: () => 'r2', keyOf: () => 'd' })
    expect(find('f2')).toHaveLength(2)
    const [only, ...rest] = find('f1')
    expect(rest).toEqual([])
    expect(only).toMatchObject({ key: 'd', recipientId: 'r2', fileId: 'f1', type: 'DATE', label: null, required: true })
    expect(only).not.toHaveProperty('source')
  })

  it('keep their ID from the first time they are saved', () => {
    const ids = learnIds(new Map(), [field], [{ ...field, id: 'server-1' } as never])
    expect(toInput([field], new Map())[0]).not.toHaveProperty('id')
    expect(toInput([field], ids)[0]).toMatchObject({ id: 'server-1', type: 'SIGNATURE' })
  })

  it('are left out when their recipient or file is gone', () => {
    const around = (recipient: string, file: string) =>
      ({ recipients: [{ id: recipient }], files: [{ id: file }] }) as never
    expect(belonging([field], around('r1', 'f1'))).toHaveLength(1)
    expect(belonging([field], around('r2', 'f1'))).toEqual([])
    expect(belonging([field], around('r1', 'f2'))).toEqual([])
  })
})
