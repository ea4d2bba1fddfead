/** The graph of a workflow: hash, comparison, validation, templates, which fields are secret. The module's public interface. Pure. */
export { hashGraph } from './canonical.ts'
export { checkingGraph, comparingGraphs, namingChanges } from './computations.ts'
export {
  type Filling,
  fillTemplates,
  parseTemplate,
  pathText,
  renderTemplate,
  TemplateError,
  valueAt,
} from './fields/template.ts'
export { kindOf } from './kinds/index.ts'
export { stateNames } from './kinds/kind.ts'
export { waitNames } from './kinds/wait.ts'
export { type Reference, referencesIn } from './references.ts'
export { mapSecrets, redactGraph, redactNode, restoreSecrets, stripSecrets } from './secrets.ts'
export { handlesOf } from './validate-edges.ts'
