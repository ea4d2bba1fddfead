/** Plugins: code of administrators that adds tools, filters, models and actions. The module's public interface. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { RunCode } from '#kernel/run-code.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Chats } from '#modules/chats/index.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime, RealtimeConfig } from '#modules/realtime/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import { calculator } from './builtin/calculator.ts'
import { codeInterpreter, registerCodeFeature } from './builtin/code-interpreter.ts'
import { python } from './builtin/python.ts'
import { createCallPlugin } from './calling/call-plugin.ts'
import { createPluginLog } from './calling/plugin-log.ts'
import { createPluginCatalog } from './catalog.ts'
import { createRunCode, mostCodeAtOnce } from './code/run-code.ts'
import type { PluginsContext } from './context.ts'
import { createFilterSource } from './kinds/filters.ts'
import { createPipeSource } from './kinds/pipes.ts'
import { createToolSource } from './kinds/plugin-tools.ts'
import { createRunAction } from './kinds/run-action.ts'
import { deleteUserValvesOfUnscoped } from './queries/user-valves.ts'
import { createCodeOf } from './reading/load-plugin.ts'
import { authorRoutes } from './routes/author.ts'
import { exampleRoute } from './routes/examples.ts'
import { pluginRoutes } from './routes/plugins.ts'
import { useRoutes } from './routes/use.ts'
import { valveRoutes } from './routes/valves.ts'
import { createPluginRuntime } from './runtime/index.ts'
import { createValveCheck } from './valves/valve-check.ts'

interface Needs {
  kernel: Kernel<RealtimeConfig>
  accounts: Pick<Accounts, 'registerTakeoverHandler'>
  organizations: Organizations
  realtime: Realtime
  chats: Chats
  models: Models
  tools: Tools
  completions: Completions
}

/** `runCode` runs code that people write, such as that of workflows. */
type Plugins = Module & { runCode: RunCode }

/** Stored plugins are known before the first request; their code is loaded when it is called. */
export const createPlugins = async (needs: Needs): Promise<Plugins> => {
  const { kernel, accounts, organizations, realtime, chats, models, tools, completions } = needs
  const context: PluginsContext = {
    kernel,
    organizations,
    realtime,
    chats,
    tools,
    catalog: await createPluginCatalog(kernel),
    runtime: createPluginRuntime(kernel),
    log: createPluginLog(kernel),
    valveCheck: createValveCheck(kernel.children),
  }
  const { catalog, runtime, log } = context
  const codeRuntime = createPluginRuntime({ children: kernel.children, name: 'code', hostsOfOneCall: mostCodeAtOnce })
  const runCode = createRunCode({ ...kernel, runtime: codeRuntime })
  const callPlugin = createCallPlugin(context, createCodeOf(context))
  organizations.onChange(async (tx, { type }) => {
    // The grants of a deleted group are gone.
    if (type === 'group_deleted') await catalog.announce(tx)
  })
  // The new owner's tools must not send anything where another person pointed them.
  accounts.registerTakeoverHandler(deleteUserValvesOfUnscoped)
  completions.registerFilters(createFilterSource(context, callPlugin))
  tools.registerSource(createToolSource(context, callPlugin))
  tools.registerSource(calculator(kernel))
  tools.registerSource(codeInterpreter({ runCode, ids: kernel.ids }))
  tools.registerSource(python({ realtime, ids: kernel.ids }))
  registerCodeFeature(completions)
  models.registerSource(createPipeSource(context, callPlugin))
  return {
    runCode,
    routes: [
      ...pluginRoutes(context),
      ...authorRoutes(context, callPlugin),
      ...valveRoutes(context),
      ...useRoutes(context, createRunAction(context, callPlugin)),
      exampleRoute,
    ],
    start: (signal) => catalog.start(signal),
    stop: async () => {
      runtime.stop()
      codeRuntime.stop()
      await log.flush()
    },
  }
}
