/** Texts for groups and departments. */
import type { UnitKind } from './api.ts'

export const unitText: Record<UnitKind, { title: string; hint: string; empty: string }> = {
  group: {
    title: 'Groups',
    hint: 'People who work together. A person can be in several groups.',
    empty: 'Use groups to share things with several people, such as “Contracts” or “Board”.',
  },
  department: {
    title: 'Departments',
    hint: 'How your company is organized.',
    empty: 'Departments reflect how your company is organized, such as “Sales” or “Legal”.',
  },
}

export const memberCountText = (count: number) => (count === 1 ? '1 person' : `${count} people`)
