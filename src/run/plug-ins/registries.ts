import { join } from 'node:path'
import type { Menus } from '../../config/index.ts'
import { datasets } from '../../datasets/index.ts'
import { methods } from '../../methods/index.ts'
import { providers } from '../../models/index.ts'
import { scorers } from '../../scorers/index.ts'
import { packageFolder } from '../../basics/files.ts'
import { taskFields } from '../../tasks/index.ts'
import { loadPlugIn } from './import-plug-in.ts'

/** Everything that a config can name, as the reader of configs and `gembench ls` see it. */
export const registries = {
  datasets,
  methods,
  scorers,
  models: providers,
  prompts: { tasks: taskFields, folder: join(packageFolder, 'configs', 'prompts') },
  async loadFile(kind, file) {
    const { name, options, ...rest } = await loadPlugIn(kind === 'model' ? 'provider' : kind, file)
    return { name, options, ...('can' in rest && { can: rest.can }), file }
  },
} satisfies Menus
