/** The graph of a workflow: hash, comparison, validation, templates, which fields are secret. The module's public face. Pure. */
export { hashGraph } from './canonical.ts'
export { stateNames, waitNames } from './config-rules.ts'
export { diffGraphs } from './diff.ts'
export { compileSchema, findSchemaProblem } from './output-schema.ts'
export { mapSecrets, redactGraph, redactNode, restoreSecrets, stripSecrets } from './secrets.ts'
export {
  type Filling,
  fillTemplates,
  parseTemplate,
  pathText,
  renderTemplate,
  TemplateError,
  valueAt,
} from './template.ts'
export { validateGraph } from './validate.ts'
export { handlesOf } from './validate-edges.ts'
