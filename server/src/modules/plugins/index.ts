/** Plugins: code of administrators that adds tools, filters, models and actions. The module's public face. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { RunCode } from '#kernel/run-code.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Chats } from '#modules/chats/index.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Files } from '#modules/files/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import { calculator } from './builtin/calculator.ts'
import { codeInterpreter, registerCodeFeature } from './builtin/code-interpreter.ts'
import { python } from './builtin/python.ts'
import { createCallPlugin } from './call-plugin.ts'
import { createPluginCatalog } from './catalog.ts'
import type { PluginsContext } from './context.ts'
import { createFilterSource } from './filters.ts'
import { createCodeOf } from './load-plugin.ts'
import { createPipeSource } from './pipes.ts'
import { createPluginLog } from './plugin-log.ts'
import { createToolSource } from './plugin-tools.ts'
import { deleteSignInsOfUnscoped } from './queries/server-sign-ins.ts'
import { deleteUserValvesOfUnscoped } from './queries/user-valves.ts'
import { authorRoutes } from './routes/author.ts'
import { exampleRoute } from './routes/examples.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { mcpClientRoutes } from './routes/mcp-clients.ts'
import { pluginRoutes } from './routes/plugins.ts'
import { serverOfferRoutes } from './routes/server-offers.ts'
import { serverSignInRoutes } from './routes/server-sign-ins.ts'
import { toolServerRoutes } from './routes/tool-servers.ts'
import { useRoutes } from './routes/use.ts'
import { valveRoutes } from './routes/valves.ts'
import { createRunAction } from './run-action.ts'
import { createRunCode } from './run-code.ts'
import { createPluginRuntime } from './runtime/index.ts'
import { sealStoredHeaders } from './servers/server-headers.ts'
import { createServerSource } from './servers/server-source.ts'
import { createValveCheck } from './valve-check.ts'

export interface PluginsNeeds {
  kernel: Kernel
  accounts: PluginsContext['accounts'] & Pick<Accounts, 'registerTakeoverHandler'>
  organizations: Organizations
  realtime: Realtime
  files: Pick<Files, 'store' | 'deleteUnscoped'>
  chats: Chats
  models: Models
  tools: Tools
  completions: Completions
}

/** `runCode` runs code that people write, such as that of workflows. */
type Plugins = Module & { runCode: RunCode }

/** Stored plugins are known before the first request; their code is loaded when it is called. */
export const createPlugins = async (needs: PluginsNeeds): Promise<Plugins> => {
  const { kernel, accounts, organizations, realtime, files, chats, models, tools, completions } = needs
  await sealStoredHeaders(kernel)
  const context: PluginsContext = {
    kernel,
    accounts,
    organizations,
    realtime,
    files,
    chats,
    models,
    tools,
    catalog: await createPluginCatalog(kernel),
    runtime: createPluginRuntime(kernel),
    log: createPluginLog(kernel),
    valveCheck: createValveCheck(kernel.children),
  }
  const { catalog, runtime, log } = context
  const codeRuntime = createPluginRuntime({ children: kernel.children, name: 'code' })
  const runCode = createRunCode({ runtime: codeRuntime, ids: kernel.ids })
  const callPlugin = createCallPlugin(context, createCodeOf(context))
  organizations.onChange(async (tx, { type }) => {
    // The grants of a deleted group are gone.
    if (type === 'group_deleted') await catalog.announce(tx)
  })
  // What the owner does with tools must not go to where another person signed in or pointed them.
  accounts.registerTakeoverHandler(async (tx, userId) => {
    await deleteSignInsOfUnscoped(tx, userId)
    await deleteUserValvesOfUnscoped(tx, userId)
  })
  completions.registerFilters(createFilterSource(context, callPlugin))
  tools.registerSource(createToolSource(context, callPlugin))
  tools.registerSource(createServerSource(context))
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
      ...toolServerRoutes(context),
      ...serverSignInRoutes(context),
      ...serverOfferRoutes(context),
      ...mcpRoutes(context),
      ...mcpClientRoutes(context),
    ],
    start: (signal) => catalog.start(signal),
    stop: async () => {
      runtime.stop()
      codeRuntime.stop()
      await log.flush()
    },
  }
}
