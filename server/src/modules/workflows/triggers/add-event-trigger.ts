/**
 * Contract, "Event subscription": starts a published workflow for events of a type that match a filter. Only a request
 * that says `on_publish` adds one to a draft, where it starts nothing until the workflow is published.
 */
import type { EventTriggerBody } from '@chancery/contract/workflows/triggers.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { type Addition, addTrigger, referencesOf } from './add-trigger.ts'

type Request = Addition<z.output<typeof EventTriggerBody>>

export const addEventTrigger = (context: WorkflowsContext, actor: Actor, request: Request) =>
  addTrigger(context, actor, {
    ...request,
    add: async (tx, workflow) => {
      const { body } = request
      if (!workflow.isLive && !body.on_publish) throw new AppError('workflow_not_published', { detail: unpublished })
      const row = await context.bus.createSubscription(tx, {
        scopeId: workflow.scopeId,
        workflowId: workflow.id,
        name: body.name,
        eventType: body.event_type,
        filterExpr: body.filter_expr ?? null,
        concurrency: body.concurrency ?? 'parallel',
        allowReentry: body.allow_reentry ?? false,
        enabled: body.enabled ?? true,
        ...referencesOf(body),
      })
      return { kind: 'event' as const, row }
    },
  })

const unpublished = 'Events can only start a published workflow. Submit it for review and publish it first.'
