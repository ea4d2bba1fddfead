/** What the two kinds are for, in words. */
import type { UnitKind } from './api.ts'

export const unitWords: Record<UnitKind, { title: string; hint: string; empty: string }> = {
  group: {
    title: 'Groups',
    hint: 'People who work on the same thing. A person may be in many.',
    empty: 'A group gathers people who share access, such as “Contracts” or “Board”.',
  },
  department: {
    title: 'Departments',
    hint: 'How the company is organized.',
    empty: 'Departments mirror how the company is organized, such as “Sales” or “Legal”.',
  },
}

export const sayMembers = (count: number) => (count === 1 ? '1 person' : `${count} people`)
