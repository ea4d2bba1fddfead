/**
 * Actions on the rows of a list, each defined once. A row's menu, the bar for several rows, their questions and the
 * command palette read the same definition.
 */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Offer<Row> {
  label: string
  /** On a single row, where it says more. */
  labelFor?: (row: Row) => string
  icon: LucideIcon
  tone?: 'bad'
  /** True for rows that it fits; all rows by default. */
  isFor?: (row: Row) => boolean
}

/** Shows something about one row, such as a form. */
interface Opening<Row> extends Offer<Row> {
  open: (row: Row) => void
}

export interface Doing<Row> extends Offer<Row> {
  /** `one`: in a row's menu only; `many`: in the bulk bar only; both by default. */
  on?: 'one' | 'many'
  ask?: Question<Row>
  /** A text that is asked for first, and used for every row. */
  input?: { label: string; help: string }
  call: (row: Row, input: string) => unknown
  /** The toast's verb: “deleted” in “3 files deleted”. */
  done: string
  /** The sentence for one row, where that isn't how people say it. */
  doneFor?: (row: Row) => string
}

/** Asked before the action. `what` is one row or the number of rows: “Build server”, “3 files”. */
interface Question<Row> {
  title: (what: string) => string
  /** Says what is lost. One row isn't asked about without its text, several aren't without theirs. */
  one?: (row: Row) => ReactNode
  many?: string
  /** The button for one row; the action's label by default. */
  button?: string
  /** The name of the row has to be typed. */
  isTyped?: boolean
  /** A refusal is shown in the question, which stays open. */
  keepsFailure?: boolean
}

export type RowAction<Row> = Opening<Row> | Doing<Row>

export interface RowActions<Row> {
  /** The name of one row, and of several: `['person', 'people']`. */
  nouns: readonly [one: string, many: string]
  nameOf: (row: Row) => string
  /** Tells apart rows of the same name, such as an email. */
  labelOf?: (row: Row) => string
  /** One row in a sentence: “Build server” in quotes by default. */
  whatOf?: (row: Row) => string
  list: readonly RowAction<Row>[]
  /** Loads the list again. */
  refresh: () => Promise<unknown>
  /** The look of one row's actions; a menu by default. */
  look?: 'menu' | 'buttons'
  /** In front of them. */
  noteFor?: (row: Row) => ReactNode
}

const isDoing = <Row>(action: RowAction<Row>): action is Doing<Row> => 'call' in action

const fits = <Row>({ isFor = () => true }: RowAction<Row>, row: Row): boolean => isFor(row)

export const actionsForOne = <Row>({ list }: Pick<RowActions<Row>, 'list'>): RowAction<Row>[] =>
  list.filter((action) => !isDoing(action) || action.on !== 'many')

export const actionsFor = <Row>(actions: RowActions<Row>, row: Row): RowAction<Row>[] =>
  actionsForOne(actions).filter((action) => fits(action, row))

export const actionsForMany = <Row>({ list }: Pick<RowActions<Row>, 'list'>): Doing<Row>[] =>
  list.filter(isDoing).filter(({ on }) => on !== 'one')

export const rowsFor = <Row>(action: RowAction<Row>, rows: readonly Row[]): Row[] =>
  rows.filter((row) => fits(action, row))

export const labelFor = <Row>({ label, labelFor: own }: RowAction<Row>, row: Row): string => own?.(row) ?? label

export const whatOf = <Row>({ nameOf, whatOf: own }: RowActions<Row>, row: Row): string =>
  own?.(row) ?? `“${nameOf(row)}”`

export const countOf = (count: number, [one, many]: RowActions<unknown>['nouns']): string =>
  `${count} ${count === 1 ? one : many}`

/** “API key “Nightly” revoked”. A row with a way of its own to be called has no noun before it. */
export function doneText<Row>(actions: RowActions<Row>, { done, doneFor }: Doing<Row>, row: Row): string {
  const what = whatOf(actions, row)
  const text = `${actions.whatOf ? what : `${actions.nouns[0]} ${what}`} ${done}`
  return doneFor?.(row) ?? text.charAt(0).toUpperCase() + text.slice(1)
}
