/** One collection: its files, a question to try, and its details. The open file is in the URL. */
import type { CollectionDetail } from '@chancery/contract/files/knowledge.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, MessageSquareText } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useCollection } from '#features/knowledge/api.ts'
import { AddFiles } from '#features/knowledge/collection/add-files.tsx'
import { AskPanel } from '#features/knowledge/collection/ask-panel.tsx'
import { CollectionMenu, ReindexNote } from '#features/knowledge/collection/collection-menu.tsx'
import { DetailsPanel, WordsOnlyNote } from '#features/knowledge/collection/details-panel.tsx'
import { FilesPanel } from '#features/knowledge/collection/files-panel.tsx'
import { useCollectionUploads } from '#features/knowledge/collection/use-collection-uploads.ts'
import { CollectionDialog } from '#features/knowledge/collections/collection-dialog.tsx'
import { PreviewDialog } from '#features/knowledge/files/preview-dialog.tsx'
import { ApiError } from '#lib/problems/api-error.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { useGrantsField } from './grants-field.tsx'

const route = getRouteApi('/shell/knowledge/$collectionId')

const Back = () => (
  <div>
    <Link to="/knowledge" className={`${buttonLook('quiet', 'small')} -ml-2`}>
      <ArrowLeft aria-hidden className="size-3.5" />
      Knowledge
    </Link>
  </div>
)

const isUnknown = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 422)

export function CollectionPage() {
  const { collectionId } = route.useParams()
  const query = useCollection(collectionId)
  if (query.data) return <CollectionView key={collectionId} collection={query.data} />
  return (
    <Page isWide>
      <PageTitle>Collection</PageTitle>
      <Back />
      {query.isPending && <ViewSkeleton />}
      {query.isError &&
        (isUnknown(query.error) ? (
          <Empty title="Collection not found" hint="It may have been deleted, or it isn’t shared with you any more." />
        ) : (
          <ErrorPanel error={query.error} onRetry={query.refetch} />
        ))}
    </Page>
  )
}

function CollectionView({ collection }: { collection: CollectionDetail }) {
  const { id, name, description, write_access: canWrite } = collection
  const { file, search } = route.useSearch()
  const navigate = route.useNavigate()
  const [isEditing, setEditing] = useState(false)
  const uploads = useCollectionUploads(collection)
  const grantsField = useGrantsField()
  const onOpen = useCallback(
    (fileId: string) => void navigate({ search: (now) => ({ ...now, file: fileId }) }),
    [navigate],
  )
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        search: ({ search: _, ...rest }) => (text === '' ? rest : { ...rest, search: text }),
        replace: true,
      }),
    [navigate],
  )
  const addButton = <AddFiles collection={collection} uploads={uploads} />
  return (
    <Page isWide>
      <PageTitle>{name}</PageTitle>
      <Back />
      <PageHeader
        title={name}
        {...(description !== '' && { hint: description })}
        action={
          <div className="flex items-center gap-2">
            <Link to="/chat" search={{ about: id }} className={buttonLook('plain')}>
              <MessageSquareText aria-hidden className="size-4" />
              Ask in a chat
            </Link>
            {canWrite && addButton}
            {canWrite && (
              <CollectionMenu
                collection={collection}
                onEdit={() => setEditing(true)}
                onDeleted={() => void navigate({ to: '/knowledge', search: {} })}
              />
            )}
          </div>
        }
      />
      <WordsOnlyNote />
      <ReindexNote collection={collection} />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <FilesPanel
          collection={collection}
          uploads={uploads}
          search={search}
          onSearch={onSearch}
          onOpen={onOpen}
          addButton={addButton}
        />
        <div className="flex min-w-0 flex-col gap-6">
          <AskPanel collectionId={id} onOpen={onOpen} />
          <DetailsPanel collection={collection} />
        </div>
      </div>
      <CollectionDialog
        open={isEditing ? collection : undefined}
        grantsField={grantsField}
        onSaved={() => setEditing(false)}
        onClose={() => setEditing(false)}
      />
      <PreviewDialog
        fileId={file}
        onClose={() => void navigate({ search: ({ file: _, ...rest }) => rest, replace: true })}
      />
    </Page>
  )
}

const ViewSkeleton = () => (
  <Loading label="Loading collection">
    <div className="flex flex-col gap-6">
      <Skeleton className="h-9 w-72" />
      <Skeleton className="h-64" />
    </div>
  </Loading>
)
