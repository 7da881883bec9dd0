/** Opening a model for a command, and telling what of it is not as wanted. */
import { type LocalModel, type ModelOptions, openModel } from '../model/index.ts';
import { warn } from './warn.ts';

/** Throws as `openModel`. */
export async function openWarned(path: string, options: ModelOptions): Promise<LocalModel> {
  const model = await openModel(path, options);
  if (model.info.metricsWarning !== null) warn(model.info.metricsWarning);
  return model;
}
