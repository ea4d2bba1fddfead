/** Builds the jobs of an evaluating thread from cases, and reads the verdicts from its replies. */
import type { ErrorKind, Name } from '@chancery/expression'
import {
  caseStates,
  createProgress,
  type Group,
  type Job,
  type JobReply,
  type NewExpression,
  openProgress,
} from './worker-protocol.ts'

/** The outcome of a case: if it holds, the JSON of its result, or its error. */
export type Verdict = { holds: boolean } | { value: string } | { error: EvaluationError }

export interface EvaluationError {
  kind: ErrorKind
  /** Begins with the kind. */
  message: string
}

export interface Cases {
  kind: Group['kind']
  names: readonly Name[]
  groups: readonly { values: readonly unknown[]; texts: readonly string[] }[]
}

/** One text, with what it shares with the other texts of its group. */
export interface Case {
  text: string
  group: CaseGroup
}

interface CaseGroup {
  kind: Group['kind']
  names: readonly Name[]
  /** The same text with other names is another expression. */
  namesJson: string
  /** JSON of the values: written once, however often the case is tried. */
  values: string
}

export const casesOf = ({ kind, names, groups }: Cases): Case[] => {
  const namesJson = JSON.stringify(names)
  return groups.flatMap(({ values, texts }) => {
    const group: CaseGroup = { kind, names, namesJson, values: JSON.stringify(values) }
    return texts.map((text) => ({ text, group }))
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
  const groups: (Group & { ids: number[] })[] = []
  let last: CaseGroup | undefined
  for (const one of cases) {
    const { kind, values } = one.group
    if (one.group !== last) groups.push({ kind, values, ids: [] })
    last = one.group
    groups.at(-1)?.ids.push(idOf(one))
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
