/** The changes to one node that its panel makes. */
import { useMemo } from 'react'
import type { NodeActions } from './config/config-panel.tsx'
import { configureNode, joinNodes, removeElements, renameNode, renameOutput } from './state/graph-edits.ts'
import type { Editing } from './use-editing.ts'

type OwnActions = Pick<NodeActions, 'onRename' | 'onConfigure' | 'onRenameOutput' | 'onJoin' | 'onCut'>

const noNodes = new Set<string>()

export const useNodeActions = ({ edit }: Editing, id: string): OwnActions =>
  useMemo(
    () => ({
      onRename: (name) => edit((graph) => renameNode(graph, id, name), { kind: `name:${id}` }),
      onConfigure: (patch) =>
        edit((graph) => configureNode(graph, id, patch), { kind: `config:${id}:${Object.keys(patch).join()}` }),
      onRenameOutput: (from, to, patch) =>
        edit((graph) => renameOutput(configureNode(graph, id, patch), id, from, to), { kind: `way:${id}` }),
      onJoin: (join) => edit((graph) => joinNodes(graph, join)),
      onCut: (edgeId) => edit((graph) => removeElements(graph, noNodes, new Set([edgeId]))),
    }),
    [edit, id],
  )
