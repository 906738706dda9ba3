import NetconvCLI

NetconvCommand.start()
