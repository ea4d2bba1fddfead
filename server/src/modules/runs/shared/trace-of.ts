import { traceIdOf } from '#kernel/spans/trace-context.ts'
import type { RunsTable } from '../queries/tables.ts'

/** The trace in which a run is seen: that of the event at its root, else that of the run at the top of its tree. */
export const traceOf = ({ id, rootEventId, rootRunId }: Pick<RunsTable, 'id' | 'rootEventId' | 'rootRunId'>) =>
  traceIdOf(rootEventId ?? rootRunId ?? id)
