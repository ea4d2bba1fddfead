/** Builds the jobs of an evaluating thread from cases, and reads the verdicts from its replies. */
import type { ErrorKind, Name } from '@chancery/expression'
import type { Allowances } from './allowances.ts'
import {
  caseStates,
  createProgress,
  type Group,
  type Job,
  type JobReply,
  type NewExpression,
  openProgress,
} from './worker-protocol.ts'

/** The outcome of a case: if it holds, the JSON of its result, its error, or that its owner's allowance was used up. */
export type Verdict = { holds: boolean } | { value: string } | { error: EvaluationError } | typeof skipped

export const skipped = { isSkipped: true } as const

export interface EvaluationError {
  kind: ErrorKind
  /** Begins with the kind. */
  message: string
}

export interface Cases {
  kind: Group['kind']
  names: readonly Name[]
  groups: readonly CasesGroup[]
  /** Charged for every text of a group with owners. */
  allowances?: Pick<Allowances, 'memory'> | undefined
}

export interface CasesGroup {
  values: readonly unknown[]
  texts: readonly string[]
  /** For each text, which of the allowances it is charged to. */
  owners?: readonly number[]
}

/** One text, with what it shares with the other texts of its group. */
export interface Case {
  text: string
  group: CaseGroup
  owner: number | undefined
}

interface CaseGroup {
  kind: Group['kind']
  names: readonly Name[]
  /** The same text with other names is another expression. */
  namesJson: string
  /** JSON of the values: written once, however often the case is tried. */
  values: string
  memory: SharedArrayBuffer | undefined
}

export const casesOf = ({ kind, names, groups, allowances }: Cases): Case[] => {
  const namesJson = JSON.stringify(names)
  return groups.flatMap(({ values, texts, owners }) => {
    const memory = owners && allowances?.memory
    const group: CaseGroup = { kind, names, namesJson, values: JSON.stringify(values), memory }
    return texts.map((text, index) => ({ text, group, owner: owners?.[index] }))
  })
}

/** `known` has the expressions that the thread has compiled, by what tells them apart; new ones are added. */
export const buildJob = (cases: readonly Case[], known: Map<string, number>): Job => {
  const learn: NewExpression[] = []
  const idOf = ({ text, group: { names, namesJson } }: Case): number => {
    const key = `${namesJson}\n${text}`
    const id = known.get(key)
    if (id !== undefined) return id
    known.set(key, known.size)
    learn.push({ id: known.size - 1, text, names })
    return known.size - 1
  }
  const groups: (Group & { ids: number[]; charged?: { memory: SharedArrayBuffer; owners: number[] } })[] = []
  let last: CaseGroup | undefined
  for (const one of cases) {
    const { kind, values, memory } = one.group
    if (one.group !== last) groups.push({ kind, values, ids: [], ...(memory && { charged: { memory, owners: [] } }) })
    last = one.group
    const group = groups.at(-1)
    group?.ids.push(idOf(one))
    if (one.owner !== undefined) group?.charged?.owners.push(one.owner)
  }
  return { learn, groups, progress: createProgress(cases.length) }
}

/** The cases that are still open, by their positions in all cases, and where the verdicts of all cases are collected. */
interface Collecting {
  all: readonly Case[]
  open: readonly number[]
  verdicts: (Verdict | undefined)[]
}

/** Reads from shared memory what was decided. Errors are left open here, since their messages are elsewhere. */
export const collectStates = ({ all, open, verdicts }: Collecting, { progress }: Job): void => {
  const { states } = openProgress(progress)
  for (const [position, index] of open.entries()) {
    const state = states[position]
    if (all[index]?.group.kind === 'test' && (state === caseStates.isTrue || state === caseStates.isFalse))
      verdicts[index] = { holds: state === caseStates.isTrue }
    if (state === caseStates.skipped) verdicts[index] = skipped
  }
}

export const collectReply = (collecting: Collecting, job: Job, reply: JobReply): void => {
  const { open, verdicts } = collecting
  collectStates(collecting, job)
  for (const [position, value] of reply.values.entries()) {
    const index = open[position]
    if (index !== undefined && value !== undefined) verdicts[index] = { value }
  }
  for (const { index: position, kind, message } of reply.errors) {
    const index = open[position]
    if (index !== undefined) verdicts[index] = { error: { kind, message } }
  }
}
