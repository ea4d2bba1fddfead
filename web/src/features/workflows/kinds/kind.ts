/** The description of a node type, one file each. Its form is apart and loads with the editor (`editor/forms`). */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { LucideIcon } from 'lucide-react'

type Config = GraphNode['config']

export interface NodeKind {
  label: string
  icon: LucideIcon
  /** One sentence for the node picker. */
  purpose: string
  /** The base of a new node's ID. Expressions use it, so it is a readable word. */
  idStem: string
  /** A new node's configuration. Anything only the user can know is left empty, deadlines too. */
  start: Config
  /** One line for the card: the model, the URL, the expression. The label is shown where it is empty. */
  summary: (config: Config) => string
  /** The fields that hold templates or expressions. */
  texts: (config: Config) => { template?: readonly string[]; expression?: readonly string[] }
  /** Named outputs, where they depend on the configuration; those of the contract by default. */
  handles?: (config: Config) => readonly string[] | undefined
  /** Fields of the result, as far as the configuration says. */
  result?: (config: Config) => readonly string[] | undefined
  /** True if the next node sees this one's input instead of a result. */
  passesOn?: (config: Config) => boolean
  /** The labels of its form's fields. */
  fields: Readonly<Record<string, string>>
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ') : ''

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
