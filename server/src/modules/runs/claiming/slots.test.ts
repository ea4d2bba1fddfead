import { expect, it } from 'vitest'
import { createRamp } from './ramp.ts'
import { createSlots } from './slots.ts'

it('a run that gives its slot back makes room, and has it again when something arrives', () => {
  const slots = createSlots(8)
  for (let run = 0; run < 8; run++) slots.begin(`run ${run}`, 'ana')
  expect(slots.free()).toBe(0)
  expect(slots.rest('run 0')).toBe(true)
  expect(slots.rest('run 0')).toBe(false)
  expect([slots.free(), slots.taken().get('ana')]).toEqual([1, 7])
  slots.begin('of bo', 'bo')
  slots.stir('run 0')
  expect([slots.free(), slots.taken().get('ana')]).toEqual([0, 8])
  for (let run = 0; run < 8; run++) slots.end(`run ${run}`)
  slots.end('of bo')
  expect([slots.free(), slots.taken().size]).toEqual([8, 0])
})

it('slow runs have a limit by tenant, beyond which they keep their slots', () => {
  const slots = createSlots(8)
  const rest = (id: string, scopeId: string) => {
    slots.begin(id, scopeId)
    return slots.rest(id)
  }
  const ofAna = Array.from({ length: 20 }, (_, run) => rest(`ana ${run}`, 'ana')).filter(Boolean)
  expect(ofAna).toHaveLength(10)
  expect(rest('of bo', 'bo')).toBe(true)
})

it('a node begins with a few runs, and takes one more for each that makes progress', () => {
  const ramp = createRamp(400)
  const first = ramp.room()
  expect(first).toBeLessThan(20)
  for (let run = 0; run < first; run++) ramp.begin(`run ${run}`, false)
  expect(ramp.room()).toBe(0)
  ramp.prove('run 0')
  expect(ramp.room()).toBe(2)
})

it('runs that were claimed twice in vain are claimed one at a time', () => {
  const ramp = createRamp(400)
  ramp.begin('suspect', true)
  expect([ramp.suspects(), ramp.isSuspect('suspect')]).toEqual([0, true])
  ramp.prove('suspect')
  ramp.prove('suspect')
  expect(ramp.suspects()).toBe(1)
})
