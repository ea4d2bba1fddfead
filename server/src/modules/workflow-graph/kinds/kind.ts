/**
 * A kind of node, as far as it is known without running one. How it runs is in `nodes/` of runs, under the same name.
 */
import type { GraphNode, NodeType, nodeConfigs } from '@chancery/contract/workflows/graph.ts'
import type { Name } from '@chancery/expression'
import type { z } from 'zod'
import type { FieldProblem } from '../fields/field-problem.ts'
import type { ParsingTime } from '../fields/javascript.ts'

type ConfigOf<Type extends NodeType> = z.output<(typeof nodeConfigs)[Type]>

/** As a draft may have it: of any shape. */
type Draft = GraphNode['config']

export interface NodeKind<Type extends NodeType = NodeType> {
  /** The fields that may contain placeholders, also nested inside a value. */
  texts: readonly (keyof ConfigOf<Type> & string)[]
  /** Problems beyond those of the schema, which the config has passed, and of its placeholders. */
  check?(config: ConfigOf<Type>, around: Surroundings): FieldProblem[]
  /** It reaches other systems or people, so a test without effects doesn't run it. */
  isOutward: boolean
  /** It calls something outside or may take long. All others run inline, within the change of their neighbours. */
  isCall: boolean
  /** True when running it twice does something twice. Never, where this is left out. */
  hasSideEffects?(config: Draft): boolean
  /** The IDs of the tools it may call: a key that is held to routes publishes none that it couldn't use itself. */
  tools?(config: Draft): string[]
  /** Things that its config names by ID. */
  refersTo?: { kind: ReferenceKind; field: keyof ConfigOf<Type> & string }
  /** The fields that hold a secret. */
  secrets?: readonly string[]
  /** The setting that says how long it waits. */
  waitField?(config: Draft): string
  /** Handles that depend on its config, instead of those of the contract. */
  ownHandles?(config: Draft): string[] | undefined
  /** The handle that a given result stands for; without this, the unnamed one. */
  handleOf?(output: Readonly<Record<string, unknown>> | null): string | null
  /** True when it has no result of its own: the nodes after it see what it saw. */
  isTransparent?(config: Draft): boolean
  /** It joins branches: all that can still arrive, or the first. */
  joins?(config: Draft): 'all' | 'first'
}

export type ReferenceKind = 'workflow' | 'person' | 'template' | 'credential'

/** The things that a node's configuration may refer to. */
export interface Surroundings {
  /** The graph's workflow, once it has one. */
  workflowId: string | undefined
  /** The names that a template's path may start with: the graph's nodes and the run's own. */
  names: ReadonlySet<string>
  parsing: ParsingTime
  /** For expressions that turn out to be wrong. */
  mistakes: ParsingTime
}

/** The names that every run has besides the results of its nodes. */
export const runNames = ['payload', 'event', 'input', 'state', '_event'] as const

/** The names that a node's expressions can use. */
export const stateNames: readonly Name[] = [
  'state',
  'input',
  'event',
  { name: 'payload', of: 'event', field: 'payload' },
  { name: '_event', of: 'event', isOld: true },
]
