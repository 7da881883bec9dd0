{
  # npm runs node-gyp where it finds this file and no install script. There is one build, native/build.mjs: this
  # only calls it, with an action whose output never exists, so that every "node-gyp rebuild" runs it.
  "targets": [
    {
      "target_name": "logit_audit",
      "type": "none",
      "actions": [
        {
          "action_name": "build",
          "inputs": ["native/build.mjs"],
          "outputs": ["<(SHARED_INTERMEDIATE_DIR)/always"],
          "action": ["node", "native/build.mjs"]
        }
      ]
    }
  ]
}
