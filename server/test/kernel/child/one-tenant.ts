/** Child processes whose tasks are all one tenant's unless they say otherwise. */
import type { Children, RunOptions, TaskTable, Worker } from '#kernel/child/index.ts'

export const oneTenant = (children: Children) => ({
  ...children,
  run: <Tasks extends TaskTable, Name extends keyof Tasks & string>(
    worker: Worker<Tasks>,
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    options: Partial<RunOptions> = {},
  ) => children.run(worker, name, input, { tenant: 'the only one', ...options }),
})
