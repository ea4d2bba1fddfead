import { Trash2 } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { actionsFor, actionsForMany, doneText, type RowActions, rowsFor, whatOf } from './row-action.ts'

interface File {
  name: string
  isOld: boolean
}

const shown: string[] = []
const files: RowActions<File> = {
  nouns: ['file', 'files'],
  nameOf: ({ name }) => name,
  refresh: async () => undefined,
  list: [
    { label: 'Edit', icon: Trash2, open: ({ name }) => shown.push(name) },
    { label: 'Move', icon: Trash2, on: 'many', done: 'moved', call: () => undefined },
    { label: 'Reset', icon: Trash2, on: 'one', done: 'reset', call: () => undefined },
    { label: 'Delete', icon: Trash2, isFor: ({ isOld }) => isOld, done: 'deleted', call: () => undefined },
  ],
}
const old = { name: 'old', isOld: true }
const young = { name: 'young', isOld: false }
const labels = (actions: readonly { label: string }[]) => actions.map(({ label }) => label)

describe('the actions of a list', () => {
  it('are offered on the rows they fit', () => {
    expect(labels(actionsFor(files, old))).toEqual(['Edit', 'Reset', 'Delete'])
    expect(labels(actionsFor(files, young))).toEqual(['Edit', 'Reset'])
  })

  it('are offered for several rows unless they show or change only one', () => {
    const many = actionsForMany(files)
    expect(labels(many)).toEqual(['Move', 'Delete'])
    expect(many.map((action) => rowsFor(action, [old, young]).length)).toEqual([2, 1])
  })

  it('say in a sentence what happened to one row', () => {
    const [remove] = actionsForMany(files).slice(1)
    if (!remove) throw new Error('no action')
    expect(doneText(files, remove, old)).toBe('File “old” deleted')
    const people = { ...files, whatOf: whatOfPerson }
    expect(doneText(people, remove, old)).toBe('Ms. old deleted')
    expect(whatOf(people, old)).toBe('Ms. old')
    expect(doneText(files, { ...remove, doneFor: () => 'Gone' }, old)).toBe('Gone')
  })
})

const whatOfPerson = ({ name }: File) => `Ms. ${name}`
