/**
 * Once per worker. Vitest tells its main process of every import that is not of a package, for watching: of our own
 * modules and of those of Node.js it then has nothing to tell.
 */
import { registerHooks } from 'node:module'
import { registerOwnModules } from '#kernel/process/own-modules.ts'

registerOwnModules()
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('node:')
      ? { url: specifier, format: 'builtin', shortCircuit: true }
      : next(specifier, context),
})
